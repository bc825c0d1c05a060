/** The form of a website: what a visitor writes becomes a contact, or joins the one with the same address, with the message as a note. */
import { H3, html, serve } from "h3";
import { createClient, CrmError } from "crm-client";

const {
  CRM_URL: baseUrl = "http://127.0.0.1:3000",
  CRM_KEY: token = "",
  CRM_LOCATION = "1",
  PORT = "4002",
} = process.env;
/** The key stays on the server: a page could not keep it. */
const crm = createClient({ baseUrl, token, location: Number(CRM_LOCATION) });

type Fields = Readonly<Record<string, string>>;

function form(given: Fields, errors: CrmError["errors"] = {}) {
  const fault = (name: string) => errors[name]?.join(" ") ?? "";
  return html`<title>Write to us</title>
    <form method="post">
      <p>
        <label>First name <input name="first_name" value="${given["first_name"]}" /></label> ${fault("first_name")}
      </p>
      <p>
        <label>Last name <input name="last_name" value="${given["last_name"]}" /></label> ${fault("last_name")}
      </p>
      <p>
        <label>E-mail <input name="email" value="${given["email"]}" /></label> ${fault("email")}
      </p>
      <p>
        <label>Message <textarea name="message">${given["message"]}</textarea></label> ${fault("body")}
      </p>
      <p hidden>
        <label>Leave this empty <input name="website" tabindex="-1" autocomplete="off" /></label>
      </p>
      <button>Send</button>
    </form>`;
}

/** The service takes a contact without one. */
const missingAddress = new CrmError({
  status: 422,
  code: "validation_failed",
  message: "no e-mail address",
  errors: { email: ["Write your e-mail address, so that we can answer."] },
});

const thanks = () => html`<p>Thank you. We answer within a day.</p>`;

const site = new H3()
  .get("/", () => form({}))
  .post("/", async ({ req, res }) => {
    const given = Object.fromEntries([...(await req.formData())].map(([name, value]) => [name, String(value)]));
    // Programs fill in every field, people do not see this one.
    if (given["website"] !== "") return thanks();
    const { first_name, last_name, email = "", message = "" } = given;
    try {
      if (email.trim() === "") throw missingAddress;
      const { contact } = await crm.contacts.upsert({ first_name, last_name, email, source: "Website" });
      if (message.trim() !== "") await crm.notes.add(contact.id, { body: message });
      return thanks();
    } catch (error) {
      if (!(error instanceof CrmError && error.status === 422)) throw error;
      res.status = 422;
      return form(given, error.errors);
    }
  });

serve(site, { port: Number(PORT), hostname: "localhost" });
