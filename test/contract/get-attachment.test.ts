/** GET /attachments/{id} */
import { contract, row } from "../support/contract.ts";
import { made } from "../support/given.ts";

contract("getAttachment", [
  row({
    name: "is the attachment with a new URL",
    given: async (world) => {
      const path = `/attachments?location_id=${world.north}&name=prices.txt`;
      return made(world.send("owner", "POST", path, "1 EUR", { "content-type": "text/plain" }));
    },
    send: (world, { id }) => ["GET", `/attachments/${id}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { id }) => ({ id, name: "prices.txt", content_type: "text/plain", size: 5 }),
    },
  }),
  row({
    name: "of another location is not found",
    given: async (world) => {
      const path = `/attachments?location_id=${world.south}&name=prices.txt`;
      return made(world.send("owner", "POST", path, "1 EUR", { "content-type": "text/plain" }));
    },
    send: (world, { id }) => ["GET", `/attachments/${id}?location_id=${world.north}`],
    expect: { status: 404, exactly: { error: "attachment.not_found" } },
  }),
]);
