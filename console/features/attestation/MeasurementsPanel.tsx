import styled from '@emotion/styled';
import { useState } from 'react';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { Facts } from '../../lib/attestation/types';
import { counted } from '../../lib/texts/count';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { Panel } from '../../ui/layout/Panel';
import { space, type } from '../../ui/theme';
import { shownEvents, type ShownEvent } from './eventText';

const Gap = styled('div')({ height: space(6) });
const Text = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });

const REGISTERS = [
  ['mrtd', 'MRTD: firmware'],
  ['rtmr0', 'RTMR0: machine'],
  ['rtmr1', 'RTMR1: kernel'],
  ['rtmr2', 'RTMR2: command line, initrd'],
  ['rtmr3', 'RTMR3: app'],
] as const;

const columns: Column<ShownEvent>[] = [
  { id: 'event', header: 'Event', cell: ({ event, position }) => event || `boot event ${position}` },
  { id: 'register', header: 'Extends', width: 90, phone: 'end', cell: ({ register }) => register },
  {
    id: 'payload',
    header: 'Payload',
    phone: 'meta',
    cell: ({ payload, text, boot, digest }) =>
      text !== null ? (
        <Text>{text}</Text>
      ) : payload ? (
        <CopyId id={payload} what="payload" most={26} />
      ) : boot && digest ? (
        <CopyId id={digest} what="digest" most={26} />
      ) : (
        '—'
      ),
  },
  {
    id: 'digest',
    header: 'Digest',
    width: 190,
    priority: 3,
    phone: 'hide',
    cell: ({ digest }) => (digest ? <CopyId id={digest} what="digest" /> : 'computed from payload'),
  },
];

/** The measurement registers and the events that extend them. */
export function MeasurementsPanel({ answer, facts }: { answer: CvmEvidence; facts: Facts }) {
  const { evidence } = answer;
  const quoted = facts.mrtd !== undefined;
  const [boot, setBoot] = useState(false);
  const all = shownEvents(evidence?.event_log) ?? [];
  const boots = all.filter((event) => event.boot).length;
  const events = boot ? all : all.filter((event) => !event.boot);
  const claims = evidence?.claims ?? {};
  return (
    <Panel
      title="Measurements"
      subtitle={
        quoted
          ? 'Registers come from the quote. Replaying the event log must reproduce them.'
          : 'No quote: these values are only claimed by the guest.'
      }
    >
      <KeyValue
        facts={REGISTERS.map(([name, label]) => {
          const value = (quoted ? facts[name] : claims[name]) ?? '';
          return { label, value: value ? <CopyId id={value} what={name} /> : '—' };
        })}
      />
      <Gap />
      <DataTable
        id="cvm-event-log"
        noun={['event', 'events']}
        columns={columns}
        rows={events}
        filters={
          boots > 0 && (
            <SwitchInput
              label={`Show ${counted(boots, ['boot event', 'boot events'])}`}
              checked={boot}
              onChange={(event) => setBoot(event.target.checked)}
            />
          )
        }
        rowId={({ position }) => String(position)}
        rowName={({ event, position }) => event || `boot event ${position}`}
        empty={<EmptyState>{answer.error ?? 'The guest provides no event log.'}</EmptyState>}
      />
    </Panel>
  );
}
