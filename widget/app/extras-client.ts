import type * as conversation from "../../shared/api/conversation.ts";
import type { Attachment, AttachmentType, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import type { ContactChange } from "../../shared/contact.ts";
import { attachmentTypeOf } from "../../shared/magic-bytes.ts";
import type { Rating } from "../../shared/rating.ts";
import type { ProposedSentence, Summary, SummaryProposal } from "../../shared/summary.ts";
import { encodedName } from "../client/file-to-send.ts";
import type { Upload } from "../client/xhr-upload.ts";
import { type BffClient, onScreen, readAnswer, request, type TargetOf } from "./bff-client.ts";
import { ChatFailure, isFailure } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import { answer, list, maybe, oneOf, orNull, record, text } from "./reader.ts";
import { attachment, email, generated, id, rating, seq, summary } from "./wire.ts";

const FILES: (typeof conversation.uploadAttachment)["path"] = "/api/conversation/attachments";
const RATING: TargetOf<typeof conversation.rateConversation> = "POST /api/conversation/rating";
const CONTACT: TargetOf<typeof conversation.setContact> = "POST /api/conversation/contact";
const PROPOSE: TargetOf<typeof conversation.proposeSummary> = "GET /api/conversation/summary";
const SUMMARY: TargetOf<typeof conversation.sendSummary> = "POST /api/conversation/summary";
const CONTENT: TargetOf<typeof conversation.eraseConversation> = "DELETE /api/conversation/content";
const NAME_HEADER: typeof FILE_NAME_HEADER = "x-file-name";

const readStoredFile = answer<{ attachment: Attachment }>({ attachment });
const readRating = answer<{ rating: Rating }>({ rating });
const readContact = answer<{ contact: ContactChange }>({
  contact: record<ContactChange>({ email: orNull(email) }),
});
const readProposal = answer<{ summary: SummaryProposal }>({
  summary: record<SummaryProposal>({
    handoffId: id,
    sentences: list(record<ProposedSentence>({ text: text(1), seq })),
    generated: maybe(generated),
    isSent: maybe(oneOf(true)),
  }),
});
const readSummary = answer<{ summary: Summary }>({ summary });
const words = (given: string) => given.replace(/\s+/g, " ").trim();
const readErased = answer<{ erased: { conversationId: string } }>({
  erased: record<{ conversationId: string }>({ conversationId: id }),
});

export interface FileToUpload {
  /** Its idempotency key: the same for each retry. */
  readonly key: string;
  readonly file: File;
  /** The type according to its first bytes. */
  readonly type: AttachmentType;
}

export type ExtrasClient = ReturnType<typeof createExtrasClient>;

/** The calls that the first open does not need. Each returns a verified answer, or throws a ChatFailure. */
export function createExtrasClient(
  { fetch }: Pick<Environment, "fetch">,
  client: Pick<BffClient, "call">,
  upload: Upload,
) {
  return {
    async upload(
      token: string,
      { key, file, type }: FileToUpload,
      signal: AbortSignal,
      onProgress: (share: number) => void,
    ): Promise<Attachment> {
      const headers = {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        "content-type": "application/octet-stream",
        "idempotency-key": key,
        [NAME_HEADER]: encodedName(file),
      };
      const response = await upload(FILES, { headers, body: file, signal, onProgress });
      const { attachment } = await readAnswer(readStoredFile, response).catch((error: unknown) => {
        // The BFF's own limit is file_too_large. A proxy's 413 names no limit, and the text of body_too_large is about words.
        throw isFailure(error, "body_too_large") ? new ChatFailure("support_refused") : error;
      });
      if (attachment.type !== type) throw new ChatFailure("not_confirmed");
      return attachment;
    },
    /**
     * The bytes of a file, as one of the accepted types, whatever else the answer says. `of` is the reference of a past
     * conversation that it belongs to.
     */
    async read(token: string, { id: fileId, type, size }: Attachment, of?: string): Promise<Blob> {
      const target = `GET ${FILES}/${encodeURIComponent(fileId)}` as const;
      const query = of === undefined ? {} : { query: `?of=${encodeURIComponent(of)}` };
      // No deadline: how long a file of 10 MB takes depends on the network.
      const response = await request(
        { fetch },
        target,
        { token, accept: type, ...query },
        new AbortController().signal,
      );
      const isFile = response.status === 200 && response.headers.get("content-type") === type;
      // A problem document instead of the file has its own code.
      if (!isFile) return readAnswer<never>(() => undefined, response);
      const bytes = await response.arrayBuffer();
      // A partial file would be saved under the complete file's name, and another type of file under a picture's.
      if (bytes.byteLength !== size || attachmentTypeOf(new Uint8Array(bytes)) !== type)
        throw new ChatFailure("not_confirmed");
      return new Blob([bytes], { type });
    },
    async rate(token: string, body: Rating, conversationId: string): Promise<Rating> {
      const { rating: taken } = await client.call(RATING, readRating, {
        token,
        body,
        ...onScreen(conversationId),
      });
      if (taken.score !== body.score || taken.comment !== body.comment)
        throw new ChatFailure("not_confirmed");
      return taken;
    },
    async setContact(token: string, wanted: string | null, conversationId: string): Promise<void> {
      const asked = { token, body: { email: wanted }, ...onScreen(conversationId) };
      const { contact } = await client.call(CONTACT, readContact, asked);
      if (contact.email !== wanted) throw new ChatFailure("not_confirmed");
    },
    async proposeSummary(token: string): Promise<SummaryProposal> {
      return (await client.call(PROPOSE, readProposal, { token })).summary;
    },
    async sendSummary(token: string, body: { readonly handoffId: string; readonly text: string }) {
      const { summary: taken } = await client.call(SUMMARY, readSummary, { token, body });
      const given = taken.sentences.map((sentence) => sentence.text).join("\n");
      if (taken.handoffId !== body.handoffId || words(given) !== words(body.text))
        throw new ChatFailure("not_confirmed");
    },
    async erase(token: string, conversationId: string): Promise<void> {
      const { erased } = await client.call(CONTENT, readErased, { token, ...onScreen(conversationId) });
      if (erased.conversationId !== conversationId) throw new ChatFailure("not_confirmed");
    },
  };
}
