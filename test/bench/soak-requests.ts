/** The requests of the soak test, usual and hostile ones, each with its allowed statuses. */
import { requestText } from "../faults/keep-alive-connection.ts";
import type { Asked } from "../faults/keep-alive-connection.ts";

/** One request, or several sent at once. `answers`: how many come; 0 is sent and left. */
export interface Sent {
  readonly text: string | Buffer;
  readonly answers: number;
}

export interface Setting {
  readonly key: string;
  readonly locations: readonly number[];
  /** Contacts have the ids 1 to so many, and lie in the locations in turn. */
  readonly contacts: number;
  readonly chance: () => number;
}

export interface Habit {
  readonly name: string;
  readonly statuses: readonly number[];
  readonly send: (setting: Setting) => Sent;
}

const pick = <Item>({ chance }: Setting, items: readonly Item[]): Item => items[Math.floor(chance() * items.length)]!;
const number = ({ chance }: Setting, below: number): number => Math.floor(chance() * below);
const noise = (setting: Setting, length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(33 + number(setting, 90))).join("");

function someone(setting: Setting): { id: number; location: number } {
  const place = number(setting, setting.contacts);
  return { id: place + 1, location: setting.locations[place % setting.locations.length]! };
}

const one = (asked: Asked): Sent => ({ text: requestText(asked), answers: 1 });

function get(setting: Setting, path: string, query: Record<string, string> = {}): Sent {
  const text = new URLSearchParams({ location_id: String(pick(setting, setting.locations)), ...query }).toString();
  return one({ method: "GET", path: `/api/v1${path}?${text}`, key: setting.key });
}

function send(setting: Setting, method: string, path: string, body: object, headers = {}): Sent {
  const within = { location_id: pick(setting, setting.locations), ...body };
  return one({ method, path: `/api/v1${path}`, key: setting.key, body: within, headers });
}

const filter = (conditions: readonly object[]): Record<string, string> => ({ filters: JSON.stringify(conditions) });

const person = (setting: Setting): object => ({
  first_name: `Grace ${number(setting, 1e6)}`,
  last_name: "Soak",
  email: `grace.${number(setting, 20_000)}@example.com`,
  company: `Company ${number(setting, 1e6)}`,
});

/** What a service is for. */
export const usual: readonly Habit[] = [
  { name: "list", statuses: [200], send: (setting) => get(setting, "/contacts") },
  {
    name: "filter",
    statuses: [200],
    send: (setting) =>
      get(
        setting,
        "/contacts",
        filter([{ field: "email", op: "eq", value: `person.${number(setting, 1e5)}@example.com` }]),
      ),
  },
  {
    name: "search",
    statuses: [200],
    send: (setting) =>
      get(
        setting,
        "/contacts",
        filter([
          {
            field: pick(setting, ["company", "name", "city"]),
            op: pick(setting, ["contains", "starts_with"]),
            value: noise(setting, 3),
          },
        ]),
      ),
  },
  {
    name: "get",
    statuses: [200, 404],
    send(setting) {
      const { id, location } = someone(setting);
      return get(setting, `/contacts/${id}`, { location_id: String(location) });
    },
  },
  {
    name: "upsert",
    statuses: [200, 201],
    send: (setting) => send(setting, "POST", "/contacts/upsert", person(setting)),
  },
  {
    name: "change",
    statuses: [200, 404],
    send(setting) {
      const { id, location } = someone(setting);
      return send(setting, "PATCH", `/contacts/${id}`, { location_id: location, city: `City ${number(setting, 1e6)}` });
    },
  },
  {
    name: "note",
    statuses: [201, 404],
    send(setting) {
      const { id, location } = someone(setting);
      return send(setting, "POST", `/contacts/${id}/notes`, {
        location_id: location,
        body: "Called. ".repeat(number(setting, 50) + 1),
      });
    },
  },
  {
    name: "once",
    statuses: [200, 201, 422],
    send: (setting) =>
      send(setting, "POST", "/contacts/upsert", person(setting), { "idempotency-key": `soak ${number(setting, 1e6)}` }),
  },
  { name: "ready", statuses: [200], send: () => one({ method: "GET", path: "/readyz" }) },
];

/** A request that is none, or none that this service takes. */
const raw = (text: string | Buffer, answers = 1): Sent => ({ text, answers });
const headOf = ({ key }: Setting, line: string, ...headers: string[]): string =>
  [line, "Host: localhost", `Authorization: Bearer ${key}`, ...headers, "", ""].join("\r\n");

/** Hostile and malformed requests. */
export const hostile: readonly Habit[] = [
  {
    name: "a key that is none",
    statuses: [401, 429],
    send: (setting) =>
      one({ method: "GET", path: "/api/v1/contacts?location_id=1", key: `crm_key_${noise(setting, 40)}` }),
  },
  {
    name: "a field that nobody knows",
    statuses: [201, 422],
    send: (setting) =>
      send(setting, "POST", "/contacts", {
        [noise(setting, 20)]: noise(setting, 200),
        first_name: noise(setting, 300),
      }),
  },
  {
    name: "JSON that is none",
    statuses: [400],
    send(setting) {
      const text = `{"first_name": "${noise(setting, 100)}`;
      return raw(
        headOf(
          setting,
          "POST /api/v1/contacts HTTP/1.1",
          "Content-Type: application/json",
          `Content-Length: ${text.length}`,
        ) + text,
      );
    },
  },
  {
    name: "JSON without end",
    statuses: [400, 404, 413, 422],
    send(setting) {
      const text = `{"location_id":${setting.locations[0]},"first_name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
      return raw(
        headOf(
          setting,
          "POST /api/v1/contacts HTTP/1.1",
          "Content-Type: application/json",
          `Content-Length: ${text.length}`,
        ) + text,
      );
    },
  },
  {
    name: "filters without end",
    statuses: [400, 422, 431],
    send: (setting) => get(setting, "/contacts", { filters: "[".repeat(1 + number(setting, 12_000)) }),
  },
  {
    name: "filters of every form",
    statuses: [200, 422],
    send: (setting) =>
      get(
        setting,
        "/contacts",
        filter(
          Array.from({ length: 1 + number(setting, 20) }, () => ({
            field: pick(setting, [
              "email",
              "city",
              "company",
              "name",
              "phone",
              "source",
              "zip",
              "created_at",
              noise(setting, 8),
            ]),
            op: pick(setting, ["eq", "neq", "contains", "starts_with", "in", "gt", noise(setting, 4)]),
            value: pick<unknown>(setting, [
              noise(setting, 20),
              [noise(setting, 5), noise(setting, 5)],
              number(setting, 1e9),
              null,
              true,
            ]),
          })),
        ),
      ),
  },
  {
    name: "a cursor that was changed",
    statuses: [422],
    send: (setting) => get(setting, "/contacts", { cursor: noise(setting, 80) }),
  },
  {
    name: "an address that is none",
    statuses: [404, 405, 400],
    send: (setting) =>
      one({
        method: pick(setting, ["GET", "PUT", "DELETE", "POST"]),
        path: `/${encodeURIComponent(noise(setting, 60))}`,
        key: setting.key,
      }),
  },
  {
    name: "an id that is none",
    statuses: [404],
    send: (setting) => get(setting, `/contacts/${encodeURIComponent(noise(setting, 12))}`),
  },
  {
    name: "half a megabyte of a name",
    statuses: [413, 422],
    send: (setting) => send(setting, "POST", "/contacts", { first_name: "Ж".repeat(250_000), last_name: "x" }),
  },
  {
    name: "a batch of two hundred that are wrong",
    statuses: [200, 207, 422],
    send: (setting) =>
      send(setting, "POST", "/contacts/bulk", {
        contacts: Array.from({ length: 200 }, () => ({ email: noise(setting, 20), phone: noise(setting, 20) })),
      }),
  },
  {
    name: "the largest note",
    statuses: [201, 404, 422],
    send(setting) {
      const { id, location } = someone({ ...setting, contacts: 20 });
      return send(setting, "POST", `/contacts/${id}/notes`, { location_id: location, body: "\u0001Ж".repeat(30_000) });
    },
  },
  {
    name: "a full contact",
    statuses: [200, 404],
    send(setting) {
      const { id, location } = someone({ ...setting, contacts: 20 });
      return get(setting, `/contacts/${id}`, { location_id: String(location) });
    },
  },
  {
    name: "what is no HTTP",
    statuses: [400, 431, 501, 505],
    send: (setting) => raw(`${noise(setting, 30)} ${noise(setting, 10)}\r\n\r\n`),
  },
  {
    name: "a header without end",
    statuses: [431],
    send: (setting) => raw(headOf(setting, "GET /healthz HTTP/1.1", `X-Long: ${"y".repeat(170_000)}`)),
  },
  {
    name: "two lengths",
    statuses: [400],
    send: (setting) =>
      raw(headOf(setting, "POST /api/v1/contacts HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked")),
  },
  {
    name: "a body that does not come",
    statuses: [],
    send: (setting) =>
      raw(
        `${headOf(setting, "POST /api/v1/contacts HTTP/1.1", "Content-Type: application/json", "Content-Length: 100000")}{"first`,
        0,
      ),
  },
  {
    name: "a list that is not waited for",
    statuses: [],
    send: (setting) => ({ ...get(setting, "/contacts"), answers: 0 }),
  },
  {
    name: "fifty requests ahead",
    statuses: [200, 404],
    send(setting) {
      const texts = Array.from({ length: 50 }, () => {
        const { id, location } = someone(setting);
        return get(setting, `/contacts/${id}`, { location_id: String(location) }).text;
      });
      return { text: texts.join(""), answers: texts.length };
    },
  },
];
