import type { DeskUser } from "../../../shared/desk.ts";
import styles from "../css/layout.module.css";
import type { DeskModel } from "../desk-model.ts";
import { ConversationRegion } from "../parts/conversation-region.tsx";
import { CustomerRegion } from "../parts/customer-region.tsx";
import { DeskBar } from "../parts/desk-bar.tsx";
import { QueueRegion } from "../parts/queue-region.tsx";
import { AccountPage } from "./account-page.tsx";
import { PeoplePage } from "./people-page.tsx";

/** The bar with one page below it. */
export function DeskScreen({ desk, user }: { desk: DeskModel; user: DeskUser }) {
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
      {page === "people" ? (
        <PeoplePage people={desk.people} me={user} />
      ) : (
        <AccountPage desk={desk} me={user} />
      )}
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
