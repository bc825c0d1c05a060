/** Observes the requests of the service, for /metrics. */

/** Of one operation. */
export interface OperationObserver {
  begun(): void;
  /** Called once a response has begun. */
  answered(status: number, milliseconds: number): void;
  /** Called when the response is complete, or its client is gone. */
  ended(): void;
}

/** Called once for each operation and route, at the start. */
export type Observe = (operation: string) => OperationObserver;

const ignored: OperationObserver = { begun() {}, answered() {}, ended() {} };

export const observeNothing: Observe = () => ignored;
