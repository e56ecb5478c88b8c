import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { person, say, withPerson } from "./conversations.ts";
import { photo } from "./photo.ts";
import { json, type Scene } from "./visit.ts";
import type { Words } from "./words.ts";

const PHOTO_SIZE = photo().length;
const RECEIPT_SIZE = 183_004;
const files = ({ invoice, receipt }: Words) => [
  { id: "f1", name: invoice, type: "image/png" as const, size: PHOTO_SIZE },
  { id: "f2", name: receipt, type: "application/pdf" as const, size: RECEIPT_SIZE },
];

/** A message with a picture and a document. */
export const withFiles: Scene = {
  name: "attachments-sent",
  conversation: (words) => ({
    handoff: person(words),
    messages: [...withPerson(words), say(7, "customer", words.photo, { attachments: files(words) })],
  }),
  answers: {
    "GET /api/conversation/attachments/f1": (route) =>
      route.fulfill({ contentType: "image/png", body: photo() }),
  },
  act: async (visit) => {
    await visit.frame.locator(".message-files__file img").waitFor();
  },
};

export const lightbox: Scene = {
  ...withFiles,
  name: "lightbox",
  act: async (visit) => {
    await visit.frame.getByRole("button", { name: visit.words.invoice }).click();
    await visit.frame.getByRole("dialog", { name: visit.words.invoice }).getByRole("img").waitFor();
  },
};

export const picked: Scene = {
  name: "attachments-picked",
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  act: async (visit) => {
    const { words } = visit;
    await visit.page.context().route("**/api/conversation/attachments", (route) => {
      const name = decodeURIComponent(route.request().headers()[FILE_NAME_HEADER] ?? "");
      return json(201, { attachment: files(words).find((file) => file.name === name) })(route);
    });
    await visit.frame.locator('input[type="file"]').setInputFiles([
      { name: words.invoice, mimeType: "image/png", buffer: photo() },
      { name: words.receipt, mimeType: "application/pdf", buffer: Buffer.alloc(RECEIPT_SIZE, "%PDF-1.4\n") },
    ]);
    await visit.frame.getByText(words.receipt).first().waitFor();
    await visit.frame.locator("progress").first().waitFor({ state: "detached" });
  },
};

export const refused: Scene = {
  name: "file-refused",
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  act: async (visit) => {
    const page = { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<!doctype html>") };
    await visit.frame.locator('input[type="file"]').setInputFiles([page]);
    await visit.frame.getByText(visit.names.problem_file_not_allowed).first().waitFor();
  },
};
