import { icon } from "./icon.tsx";

export const FileIcon = icon("M7 3.75h7.5L18.5 8v12.25H7zM14.25 4v4.25h4");

export const DownloadIcon = icon("M12 4.5v10.5M7 10.2l5 5 5-5M5 19.5h14");
