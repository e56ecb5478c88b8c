import { Icon } from "./icon.tsx";

export const CloseIcon = () => (
  <Icon>
    <path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />
  </Icon>
);

export const SendIcon = () => (
  <Icon>
    <path d="M12 19V5.5M6 11.2l6-6 6 6" />
  </Icon>
);

/** The software that answers. */
export const AgentIcon = () => (
  <Icon>
    <path d="M11 3.5c.7 4.6 2.4 6.4 7 7-4.6.7-6.3 2.4-7 7-.7-4.6-2.4-6.3-7-7 4.6-.6 6.3-2.4 7-7zM18.5 15.5c.3 1.7.9 2.3 2.5 2.5-1.6.3-2.2.9-2.5 2.5-.3-1.6-.9-2.2-2.5-2.5 1.6-.2 2.2-.8 2.5-2.5z" />
  </Icon>
);

/** A person of the team. */
export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="3.75" />
    <path d="M4.75 20c.9-3.6 3.7-5.5 7.25-5.5s6.35 1.9 7.25 5.5" />
  </Icon>
);

export const AlertIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.75v5M12 16.2v.05" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);

/** An article that an answer stands on. */
export const EndIcon = () => (
  <Icon mirror>
    <path d="M13.5 4.5H6v15h7.5M10.5 12h9M16.5 8.5L20 12l-3.5 3.5" />
  </Icon>
);
