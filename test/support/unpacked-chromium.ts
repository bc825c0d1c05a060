/** Unpacks Chromium before the first test that opens it: whoever starts it while another writes it is told that the file is busy (ETXTBSY). */
import chromium from "@sparticuz/chromium";

export async function setup(): Promise<void> {
  if (process.env["CRM_TEST_CHROMIUM"] === undefined) await chromium.executablePath();
}
