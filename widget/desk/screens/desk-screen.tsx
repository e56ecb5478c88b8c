import type { VNode } from "preact";
import type { DeskUser } from "../../../shared/desk.ts";
import styles from "../css/layout.module.css";
import type { DeskModel, Page } from "../desk-model.ts";
import { ConversationRegion } from "../parts/conversation-region.tsx";
import { CustomerRegion } from "../parts/customer-region.tsx";
import { DeskBar } from "../parts/desk-bar.tsx";
import { QueueRegion } from "../parts/queue-region.tsx";
import { AccountPage } from "./account-page.tsx";
import { PeoplePage } from "./people-page.tsx";

interface PageProps {
  readonly desk: DeskModel;
  readonly user: DeskUser;
}

/** The pages other than the board, each below the bar. */
const PAGES: Readonly<Record<Exclude<Page, "board">, (props: PageProps) => VNode>> = {
  people: ({ desk, user }) => <PeoplePage people={desk.people} me={user} />,
  account: ({ desk, user }) => <AccountPage desk={desk} me={user} />,
};

/** The bar with one page below it. */
export function DeskScreen({ desk, user }: PageProps) {
  const { board } = desk;
  const page = desk.page.value;
  if (page === "board") {
    return (
      <div class={styles.desk} data-view={board.view.value} data-open={board.openedId.value !== undefined}>
        <DeskBar desk={desk} user={user} />
        <Board desk={desk} />
      </div>
    );
  }
  return (
    <div class={styles.deskPage}>
      <DeskBar desk={desk} user={user} />
      {PAGES[page]({ desk, user })}
    </div>
  );
}

/** Who needs help, what was said, who it is: side by side, or one at a time where the screen is small. */
function Board({ desk }: { desk: DeskModel }) {
  const { board } = desk;
  return (
    <>
      <QueueRegion board={board} />
      <ConversationRegion board={board} />
      <CustomerRegion board={board} />
    </>
  );
}
