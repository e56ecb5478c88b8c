import { Help } from "./help.jsx";

export default function Page() {
  return (
    <main>
      <h1>Lamps</h1>
      <Help />
    </main>
  );
}
