import type { IncomingMessage } from "node:http";
import { uploadAttachment } from "../shared/api/conversation.ts";
import { listen as listenOn } from "../shared/server/listen.ts";

const isUpload = ({ method, url }: IncomingMessage) =>
  method === uploadAttachment.method && url === uploadAttachment.path;

/** Serves the BFF. Its only slow request is the upload of a file. @throws StartError */
export const listen = (options: Omit<Parameters<typeof listenOn>[0], "isUpload">) =>
  listenOn({ ...options, isUpload });
