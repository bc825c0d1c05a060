/** The kinds of channels in words. */
import type { ChannelKind } from "../../../vocabulary/states.ts";

export const kindTexts: Readonly<Record<ChannelKind, string>> = {
  call: "Phone call",
  email: "E-mail",
  sms: "SMS",
  whatsapp: "WhatsApp",
  messenger: "Messenger",
  instagram: "Instagram",
  webchat: "Web chat",
  google: "Google",
};
