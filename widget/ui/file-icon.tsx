import { Icon } from "./icon.tsx";

export const FileIcon = () => (
  <Icon>
    <path d="M7 3.75h7.5L18.5 8v12.25H7zM14.25 4v4.25h4" />
  </Icon>
);
