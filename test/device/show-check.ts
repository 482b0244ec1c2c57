import type { CheckDocument } from './check-devices.ts';
import { table } from './table.ts';
import { wrapText } from './wrap-text.ts';

/** The whole answer for people, 80 columns wide: a table per card, one for the machine, what failed, and the outcome. */
export function showCheck(checked: CheckDocument): string {
  const perCard = checked.cards.map(({ card, device_id, driver, image, device }, index) => {
    const rows = checked.devices.find((one) => one.device_id === device_id)?.rows ?? [];
    const facts = [`#${index} ${card}`, device_id, `driver ${driver ?? 'unknown'}`, `image ${image ?? 'unknown'}`];
    return table(facts.join(', '), rows, device.simulated);
  });
  const { ok, MISSED, skipped, 'no peer': noPeer } = checked.verdicts;
  const outcome = `${ok} targets met, ${MISSED} missed, ${noPeer} without a peer, ${skipped} not judged`;
  return [
    ...perCard,
    table('the machine', checked.node, checked.simulated),
    ...[
      ...failures(checked),
      ...checked.wrong.map((words) => `WRONG ${words}`),
      checked.simulated ? `${outcome}. SIMULATED: these are not figures of a card` : outcome,
    ].map((words) => wrapText(words, 80).join('\n')),
  ].join('\n\n');
}

/** What the runner and the peers said went wrong, each sentence once. */
function failures({ self_tests, rounds }: CheckDocument): string[] {
  const runs = [
    ...self_tests,
    ...rounds.flatMap(({ turns, together, matrices }) => [
      ...turns.map((turn) => turn.run),
      ...(together === null ? [] : [together]),
      ...matrices,
    ]),
  ];
  const said = runs.flatMap((run) =>
    run.errors.map((error) => `ERROR ${error.code}: ${error.message}. ${error.remedy}`),
  );
  return [...new Set(said)];
}
