/** A file that is no backup, or one that cannot be restored here; the reason completes "The backup cannot be used: …". */
export class BackupFault extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup cannot be used: ${reason}.`, options);
  }
}
