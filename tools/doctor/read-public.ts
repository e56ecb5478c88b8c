import { readConfig } from "../../shared/api/config.ts";
import { uploadAttachment } from "../../shared/api/conversation.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";

const LIMIT_MS = 10_000;

/**
 * `refusedWith`: a chat, behind a proxy that answers a file as large as a customer may send with this status.
 * `file-unknown`: a chat, but such a file got no answer.
 */
export type PublicAnswer = "chat" | { readonly refusedWith: number } | "file-unknown" | "other";

/** Reads what answers under `publicUrl`; undefined where nothing answers. */
export async function readPublic(publicUrl: string): Promise<PublicAnswer | undefined> {
  try {
    const answer = await fetch(`${publicUrl}/api/config`, { signal: AbortSignal.timeout(LIMIT_MS) });
    const isChat = readConfig.answer.safeParse(await answer.json().catch(() => undefined)).success;
    return isChat ? await readFileLimit(publicUrl) : "other";
  } catch {
    // This machine may not be able to reach its own public name.
    return undefined;
  }
}

/**
 * Whether a proxy lets a file through. The BFF refuses this one too, because it comes from no site. Only the BFF's problem
 * document shows that the file arrived: some proxies answer 413 to a file that is too large, and Caddy 502.
 */
async function readFileLimit(publicUrl: string): Promise<PublicAnswer> {
  try {
    const answer = await fetch(`${publicUrl}${uploadAttachment.path}`, {
      method: "POST",
      body: new Uint8Array(MAX_ATTACHMENT_BYTES),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const isOurs = (await answer.text()).includes("urn:parley:problem:");
    return isOurs ? "chat" : { refusedWith: answer.status };
  } catch {
    // A proxy may close the connection while the file is being sent, or the line is slow: nothing is known.
    return "file-unknown";
  }
}
