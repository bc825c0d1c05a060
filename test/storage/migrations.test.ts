import { expect, it } from "vitest";
import { freshDatabase } from "../support/databases.ts";
it("x", async () => { const a = performance.now(); const d = await freshDatabase("postgres"); console.log(performance.now()-a); await d.drop();
 const b = performance.now(); const e = await freshDatabase("sqlite"); console.log(performance.now()-b); await e.drop(); expect(1).toBe(1); });
