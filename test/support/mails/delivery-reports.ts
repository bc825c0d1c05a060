/** Reports of undelivered mails in the shapes of providers. */
import { mailOf, multipart, parts, plainPart } from "./build-mail.ts";

const returned = (id: string): string =>
  `Content-Type: text/rfc822-headers\n\nFrom: desk@acme.example\nTo: gone@y.example\nMessage-ID: ${id}\nSubject: Prices`;

const status = (lines: readonly string[]): string =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.y.example\n\n${lines.join("\n")}`;

const reports = { ...multipart("report; report-type=delivery-status", "r"), "Return-Path": "<>" };

const gone = "smtp; 550 5.1.1 <gone@y.example>: Recipient address rejected: User unknown";

/** By provider, for the mail with this Message-ID. */
export const deliveryReports: Readonly<Record<string, (id: string) => Buffer>> = {
  Postfix: (id) =>
    mailOf(
      {
        From: "MAILER-DAEMON@mx.y.example (Mail Delivery System)",
        Subject: "Undelivered Mail Returned to Sender",
        "Auto-Submitted": "auto-replied",
        ...reports,
      },
      ...parts(
        "r",
        plainPart("This is the mail system at host mx.y.example."),
        status([
          "Final-Recipient: rfc822; gone@y.example",
          "Action: failed",
          "Status: 5.1.1",
          `Diagnostic-Code: ${gone}`,
        ]),
        returned(id),
      ),
    ),
  Gmail: (id) =>
    mailOf(
      {
        From: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        Subject: "Delivery Status Notification (Failure)",
        "In-Reply-To": id,
        References: id,
        "X-Failed-Recipients": "gone@y.example",
        "Auto-Submitted": "auto-replied",
        ...reports,
      },
      ...parts(
        "r",
        plainPart("Address not found\n\nYour message wasn't delivered to gone@y.example."),
        status([
          "Final-Recipient: rfc822; gone@y.example",
          "Action: failed",
          "Status: 5.1.1",
          "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not\n exist.",
        ]),
        `Content-Type: message/rfc822\n\nFrom: desk@acme.example\nMessage-ID: ${id}\n\nGood morning!`,
      ),
    ),
  Exchange: (id) =>
    mailOf(
      {
        From: "Microsoft Outlook <postmaster@y.example>",
        Subject: "Undeliverable: Prices",
        "In-Reply-To": id,
        ...reports,
      },
      ...parts(
        "r",
        `Content-Type: text/html; charset=utf-8\n\n<p>Your message to gone@y.example couldn't be delivered.</p>`,
        status([
          "Final-Recipient: rfc822;gone@y.example",
          "Action: failed",
          "Status: 5.1.10",
          "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
        ]),
        `Content-Type: message/rfc822\n\nMessage-ID: ${id}\n\nGood morning!`,
      ),
    ),
  "Exim, without a report": (id) =>
    mailOf(
      {
        From: "Mail Delivery System <Mailer-Daemon@mx.y.example>",
        Subject: "Mail delivery failed: returning message to sender",
        "X-Failed-Recipients": "gone@y.example",
        "Auto-Submitted": "auto-replied",
      },
      "This message was created automatically by mail delivery software.",
      "",
      "  gone@y.example",
      "    host mx.y.example [192.0.2.1]",
      "    550 5.1.1 No such user",
      "",
      "------ This is a copy of the message, including all the headers. ------",
      "",
      "From: desk@acme.example",
      `Message-Id: ${id}`,
      "",
      "Good morning!",
    ),
  "qmail, without a report": (id) =>
    mailOf(
      { From: "MAILER-DAEMON@mx.y.example", Subject: "failure notice", "Return-Path": "<>" },
      "Hi. This is the qmail-send program at mx.y.example.",
      "",
      "<gone@y.example>:",
      "192.0.2.1 does not like recipient.",
      "Remote host said: 550 5.1.1 sorry, no mailbox here by that name",
      "",
      "--- Below this line is a copy of the message.",
      "",
      `Message-ID: ${id}`,
      "From: desk@acme.example",
      "",
      "Good morning!",
    ),
};

/** The server keeps trying. */
export const delayed = (id: string): Buffer =>
  mailOf(
    { From: "MAILER-DAEMON@mx.y.example", Subject: "Delayed Mail (still being retried)", ...reports },
    ...parts(
      "r",
      plainPart("Your message is delayed."),
      status(["Final-Recipient: rfc822; gone@y.example", "Action: delayed", "Status: 4.4.1"]),
      returned(id),
    ),
  );
