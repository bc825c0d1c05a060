/** The first line of standard input, which stays there for the next reader. */

/**
 * In milliseconds: a program that has started another one to talk to it has written before the other one can read. Without a line the
 * command goes on, so that what is wrong is said at once.
 */
const patience = 200;

/** Undefined: no line came in time, or not as a whole. Does not throw. */
export function peekFirstLine(input: NodeJS.ReadStream = process.stdin): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, patience);
    input.on("readable", read);
    input.on("error", finish);

    function read() {
      const chunk = input.read() as Buffer | null;
      // Put back at once: the end of the input may follow.
      if (chunk !== null) input.unshift(chunk);
      finish(chunk);
    }

    function finish(chunk?: unknown) {
      clearTimeout(timer);
      input.off("readable", read);
      input.off("error", finish);
      const text = Buffer.isBuffer(chunk) ? chunk.toString() : "";
      resolve(text.includes("\n") ? text.slice(0, text.indexOf("\n")) : undefined);
    }
  });
}
