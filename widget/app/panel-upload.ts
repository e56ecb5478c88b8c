import { uploadByXhr } from "../client/xhr-upload.ts";
import { ChatFailure } from "./chat-failure.ts";

/** Sends a customer's file. */
export const uploadFile = uploadByXhr((code) => new ChatFailure(code, { isSilence: true }));
