import type { AuditEvent, ListAuditQuery } from '../../contract/audit.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { csvDownload } from '../../platform/csv-download.ts';
import { csvRecord, EXCEL_MARK, excelRecord } from '../../platform/csv.ts';
import { selectEvents, type EventRow, type EventsAsked } from './queries.ts';
import { recordEvent } from './record-event.ts';

/** Rows per chunk of a CSV: a few hundred kilobytes, so that no download holds the whole table. */
const CSV_ROWS = 1000;
const HEADER = [
  'id',
  'at',
  'action',
  'company',
  'actor_kind',
  'actor_id',
  'actor',
  'subject',
  'detail',
  'address',
  'request_id',
];

type Page = { results: AuditEvent[]; next: string | null };

/** Events of the caller's company, or of all companies for staff: a page, or all as CSV, which is itself recorded as an event. */
export async function listEvents(context: Context, query: ListAuditQuery): Promise<Page | Response> {
  const { action, actor, from, to, before, per_page } = query;
  const asked = {
    customerId: visibleCustomer(context.actor),
    action: action ?? null,
    actor: actor ?? null,
    from: from ?? null,
    to: to ?? null,
    before: before ?? null,
  };
  if (query.format === 'csv') return csvOf(context, asked, query.for === 'excel');
  const rows = await selectEvents(context.sql, { ...asked, limit: per_page + 1 });
  const shown = rows.slice(0, per_page);
  return { results: shown.map(onWire), next: rows.length > per_page ? (shown.at(-1)?.id ?? null) : null };
}

async function csvOf(context: Context, asked: Omit<EventsAsked, 'limit'>, forExcel: boolean): Promise<Response> {
  const line = forExcel ? excelRecord : csvRecord;
  const { actor, sql } = context;
  await sql.begin((tx) =>
    recordEvent(context, tx, {
      action: 'audit_exported',
      customerId: 'customerId' in actor ? actor.customerId : null,
      subject: asked.customerId === null ? 'all companies' : 'own company',
      detail: { action: asked.action, actor: asked.actor, from: asked.from, to: asked.to },
    }),
  );
  return csvDownload<EventRow>({
    fileName: 'gpumark-audit.csv',
    head: `${forExcel ? EXCEL_MARK : ''}${line(HEADER)}\n`,
    atOnce: CSV_ROWS,
    rowsAfter: (last) => selectEvents(sql, { ...asked, before: last?.id ?? asked.before, limit: CSV_ROWS }),
    record: (row) => `${line(cellsOf(row))}\n`,
  });
}

function cellsOf(row: EventRow) {
  const { id, at, action, company_name, actor_kind, actor_id, actor, subject, detail, address, request_id } =
    onWire(row);
  const told = JSON.stringify(detail);
  return [id, at, action, company_name, actor_kind, actor_id, actor, subject, told, address, request_id];
}

const onWire = (row: EventRow): AuditEvent => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  company_name: row.company_name,
  actor_kind: row.actor_kind,
  actor_id: row.actor_id,
  actor: row.email,
  subject: row.subject,
  detail: row.detail,
  address: row.address,
  request_id: row.request_id,
});
