import { icon } from "./icon.tsx";

export const CloseIcon = icon("M6.5 6.5l11 11M17.5 6.5l-11 11");

export const SendIcon = icon("M12 19V5.5M6 11.2l6-6 6 6");

/** The software that answers. */
export const AgentIcon = icon(
  "M11 3.5c.7 4.6 2.4 6.4 7 7-4.6.7-6.3 2.4-7 7-.7-4.6-2.4-6.3-7-7 4.6-.6 6.3-2.4 7-7zM18.5 15.5c.3 1.7.9 2.3 2.5 2.5-1.6.3-2.2.9-2.5 2.5-.3-1.6-.9-2.2-2.5-2.5 1.6-.2 2.2-.8 2.5-2.5z",
);

/** A person of the team. */
export const PersonIcon = icon(
  "M8.25 8a3.75 3.75 0 1 0 7.5 0a3.75 3.75 0 1 0-7.5 0M4.75 20c.9-3.6 3.7-5.5 7.25-5.5s6.35 1.9 7.25 5.5",
);

export const AlertIcon = icon("M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7.75v5M12 16.2v.05");

export const ClockIcon = icon("M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7.5V12l3 2");

/** Leaving: the end of a conversation, or signing out. */
export const EndIcon = icon("M13.5 4.5H6v15h7.5M10.5 12h9M16.5 8.5L20 12l-3.5 3.5", true);
