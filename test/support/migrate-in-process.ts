/** Brings the database at the address in argv up to date and says which migrations it applied. */
import { entities } from "../../src/entities.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";

const [url = ""] = process.argv.slice(2);
const database = await openDatabase(url, entities);
process.stdout.write("asking\n");
const runs = await migrateUp(database);
process.stdout.write(`applied: ${runs.map(({ name }) => name).join(",")}\n`);
await database.close();
