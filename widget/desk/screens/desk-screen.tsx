import type { DeskUser } from "../../../shared/desk.ts";
import type { DeskModel } from "../desk-model.ts";
import { ConversationRegion } from "../parts/conversation-region.tsx";
import { CustomerRegion } from "../parts/customer-region.tsx";
import { DeskBar } from "../parts/desk-bar.tsx";
import { QueueRegion } from "../parts/queue-region.tsx";

/** Who needs help, what was said, who it is: side by side, or one at a time where the screen is small. */
export function DeskScreen({ desk, user }: { desk: DeskModel; user: DeskUser }) {
  const { board } = desk;
  return (
    <div class="desk" data-view={board.view.value} data-open={board.openedId.value !== undefined}>
      <DeskBar desk={desk} user={user} />
      <QueueRegion board={board} />
      <ConversationRegion board={board} />
      <CustomerRegion board={board} />
    </div>
  );
}
