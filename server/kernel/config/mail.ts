/** Mail to accounts. */
import { z } from "zod";
import type { Option } from "./kinds.ts";

export const MAIL = {
  smtpUrl: {
    schema: z
      .union([z.url({ protocol: /^smtps?$/ }), z.literal("log:")], {
        error: "must be an smtp:// or smtps:// address, or log:",
      })
      .optional(),
    doc: "The server that takes mail, with name and password: `smtps://name:password@mail.example.org`. `log:` writes mails into the log, links included; the demo does so. Default: no mail is sent, and what needs it is not offered.",
  },
  mailFrom: {
    schema: z
      .string()
      .regex(/^[^\r\n@]*@[^\r\n]*$/, "must be an address")
      .optional(),
    doc: "The sender of mails: `Portolan <no-reply@example.org>`. `smtpUrl` needs it, except for `log:`.",
  },
  mailTemplates: {
    schema: z.string().min(1).optional(),
    doc: "Folder of your own texts for mails, `<language>/<kind>.txt`. A text that is not there is the built-in one.",
  },
} as const satisfies Record<string, Option>;
