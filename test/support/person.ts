/** A browser without JavaScript: keeps cookies, submits the forms of pages, and follows no redirect by itself. */

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads; "" without one. */
  readonly location: string;
}

export interface Person {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  post(path: string, fields: Record<string, string> | URLSearchParams, headers?: Record<string, string>): Promise<Page>;
  /** Sends the first form of a page, with what it hides and `fields`; `button` is what is pressed. */
  submit(page: Page, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Signs in; fails unless that works. */
  signIn(email: string, password?: string): Promise<void>;
}

export const password = "correct horse battery";

export function createPerson(baseUrl: string): Person {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, baseUrl), {
      redirect: "manual",
      ...init,
      headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...init.headers },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/; Max-Age=0/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  }

  const person: Person = {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields, headers = {}) =>
      send(path, { method: "POST", body: new URLSearchParams(fields), headers: { origin: "null", ...headers } }),
    submit: (page, fields = {}, headers = {}) =>
      person.post(actionOf(page), { ...hiddenFields(page), ...fields }, headers),
    async signIn(email, secret = password) {
      const page = await person.get("/sign-in");
      const answer = await person.submit(page, { email, password: secret });
      if (answer.status !== 303) throw new Error(`signing in was answered ${answer.status}: ${answer.text}`);
    },
  };
  return person;
}

/** The main form of the page: the one of its narrow card, or of its content. */
function formOf({ text }: Page): string {
  const main = text.slice(text.indexOf("<main"));
  return /<form[^]*?<\/form>/.exec(main)?.[0] ?? "";
}

function actionOf(page: Page): string {
  return unescaped(/action="([^"]*)"/.exec(formOf(page))?.[1] ?? "/no-form");
}

export function hiddenFields(page: Page): Record<string, string> {
  const inputs = formOf(page).match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [/name="([^"]*)"/.exec(input)![1]!, unescaped(/value="([^"]*)"/.exec(input)![1]!)]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
