import type { MachineInventory } from '../../contract/inventory.ts';
import { note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

/** Contradictions printed; those beyond are only counted. A node has at most 64 devices. */
const MAX_DISAGREEMENTS = 8;

type Card = MachineInventory['gpu_info'][number];

/** One row per card: its identity and its configuration. No table if the agent sent neither. */
export function cardsTable(paper: Paper, { gpu_info: cards }: MachineInventory): void {
  if (cards.some(isDescribed)) {
    table(
      paper,
      [
        { title: 'Card', share: 6, align: 'right' },
        { title: 'PCI id', share: 16 },
        { title: 'UUID', share: 28, maxLines: 3 },
        { title: 'Serial', share: 21 },
        { title: 'VBIOS', share: 18 },
        { title: 'ECC', share: 11 },
        { title: 'Power cap W', share: 10, align: 'right' },
        { title: 'NVLinks up', share: 10, align: 'right' },
        { title: 'Slice', share: 16, maxLines: 3 },
      ],
      cards.map((card, index) => [
        String(index),
        card.pci_id ?? '–',
        card.uuid ?? '–',
        card.serial ?? '–',
        card.vbios ?? '–',
        card.ecc_mode ?? '–',
        printed(card.power_cap_watts),
        printed(card.nvlink_active),
        sliceOf(card),
      ]),
    );
  }
  const contradictions = cards.flatMap((card, index) =>
    (card.disagreements ?? []).map((text) => `Card ${index}: ${text}`),
  );
  for (const text of contradictions.slice(0, MAX_DISAGREEMENTS)) note(paper, text);
  const more = contradictions.length - MAX_DISAGREEMENTS;
  if (more > 0) note(paper, `${more} more contradictions between sources are kept with the inventory.`);
}

const isDescribed = (card: Card): boolean =>
  [card.uuid, card.pci_id, card.serial, card.vbios, card.ecc_mode, card.power_cap_watts].some((value) => value != null);

const printed = (value: number | null | undefined): string => (value == null ? '–' : String(value));

function sliceOf({ mig, partition }: Card): string {
  if (mig?.instance) return `MIG ${mig.instance}`;
  if (mig?.enabled === true) return 'MIG enabled';
  const parts = [partition?.compute, partition?.memory].filter(Boolean);
  if (parts.length > 0) return parts.join(', ');
  return mig?.enabled === false ? 'whole' : '–';
}
