/** Unpacks Chromium before the first test that opens it: starting it while another process writes the file fails with ETXTBSY. */
import chromium from "@sparticuz/chromium";

export async function setup(): Promise<void> {
  if (process.env["CRM_TEST_CHROMIUM"] === undefined) await chromium.executablePath();
}
