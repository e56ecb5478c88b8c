import { Parley } from "@parley/react";

/** In the layout, so that the chat stays while the visitor goes from page to page. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Parley origin={process.env["NEXT_PUBLIC_CHAT_ORIGIN"]} title="Lamps" launcher="none" />
      </body>
    </html>
  );
}
