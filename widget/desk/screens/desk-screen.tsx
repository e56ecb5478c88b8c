import type { FunctionComponent } from "preact";
import type { DeskUser } from "../../../shared/desk.ts";
import styles from "../css/layout.module.css";
import { useDesk } from "../desk-context.ts";
import type { Page } from "../desk-model.ts";
import { ConversationRegion } from "../parts/conversation-region.tsx";
import { CustomerRegion } from "../parts/customer-region.tsx";
import { DeskBar } from "../parts/desk-bar.tsx";
import { QueueRegion } from "../parts/queue-region.tsx";
import { UndoBar } from "../parts/undo-bar.tsx";
import { AccountPage } from "./account-page.tsx";
import { CustomerPage } from "./customer-page.tsx";
import { PeoplePage } from "./people-page.tsx";

/** The pages except for the board, each below the bar. */
const PAGES: Readonly<Record<Exclude<Page, "board">, FunctionComponent<{ me: DeskUser }>>> = {
  people: PeoplePage,
  account: AccountPage,
  customer: CustomerPage,
};

/** The bar with one page below it. The board has three regions, or one at a time on a small screen. */
export function DeskScreen({ user }: { user: DeskUser }) {
  const desk = useDesk();
  const { board } = desk;
  const page = desk.page.value;
  if (page === "board") {
    return (
      <div class={styles.desk} data-view={board.view.value} data-open={board.openedId.value !== undefined}>
        <DeskBar user={user} />
        <QueueRegion />
        <ConversationRegion />
        <CustomerRegion />
        <UndoBar />
      </div>
    );
  }
  const CurrentPage = PAGES[page];
  return (
    <div class={styles.deskPage}>
      <DeskBar user={user} />
      <CurrentPage me={user} />
    </div>
  );
}
