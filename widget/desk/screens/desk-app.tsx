import { ErrorBoundary } from "../../ui/error-boundary.tsx";
import type { DeskModel } from "../desk-model.ts";
import { LiveRegions } from "../parts/live-regions.tsx";
import { DeskScreen } from "./desk-screen.tsx";
import { JoinScreen, LinkOverScreen } from "./join-screen.tsx";
import { SetUpScreen } from "./set-up-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";
import { BrokenScreen, LoadingScreen, UnreachableScreen } from "./waiting-screens.tsx";

/** The whole desk: one screen at a time, and the hidden regions that speak for all of them. */
export function DeskApp(props: { desk: DeskModel }) {
  const { desk } = props;
  return (
    <>
      <ErrorBoundary fallback={(reload) => <BrokenScreen onReload={reload} />}>
        <CurrentScreen desk={desk} />
      </ErrorBoundary>
      <LiveRegions said={desk.board.said} />
    </>
  );
}

function CurrentScreen({ desk }: { desk: DeskModel }) {
  const screen = desk.screen.value;
  switch (screen.kind) {
    case "loading":
      return <LoadingScreen />;
    case "unreachable":
      return <UnreachableScreen onTryAgain={() => void desk.resume()} />;
    case "set-up":
      return <SetUpScreen onSubmit={(form) => desk.setUp(form)} onSignIn={() => desk.offerSignIn()} />;
    case "join":
      return <JoinScreen key={screen.token} offer={screen.offer} onSubmit={(form) => desk.join(form)} />;
    case "link-failed":
      return screen.over ? (
        <LinkOverScreen onSignIn={() => void desk.resume()} />
      ) : (
        <UnreachableScreen onTryAgain={() => void desk.openLink(screen.token)} />
      );
    case "sign-in":
      return <SignInScreen expired={screen.expired} onSubmit={(form) => desk.signIn(form)} />;
    case "desk":
      return <DeskScreen desk={desk} user={screen.user} />;
  }
}
