import { KeyValue } from '../../../console/ui/data/KeyValue';
import { Panel } from '../../../console/ui/layout/Panel';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { Fact } from '../../schema/Fact';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { ShortList } from '../ShortList';

/** Fields that say who has the GPU; of those that are only sometimes true, what is not the case is left out. */
const ALWAYS = ['teepod_id', 'team_id', 'cvm_id'];
const SOMETIMES = ['reserved', 'held_until', 'fault', 'used_elsewhere'];

/** Who has a GPU now, what can be done about that, and who had it before. */
export function Allocation({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Allocation">
      {(gpu) => (
        <>
          <Panel title="Who has it now" subtitle={SAID[String(gpu.state)]} framed>
            <KeyValue
              facts={resource.fields
                .filter(({ name }) => ALWAYS.includes(name) || (SOMETIMES.includes(name) && gpu[name]))
                .map((field) => ({
                  label: field.label,
                  value: <Fact field={field} value={gpu[field.name]} record={gpu} />,
                }))}
            />
          </Panel>
          <History gpu={gpu} />
        </>
      )}
    </RecordFrame>
  );
}

const SAID: Readonly<Record<string, string>> = {
  free: 'Nobody. The next CVM whose size needs a GPU may get it.',
  reserved: 'Kept for this team. CVMs of others do not get it.',
  attached: 'The CVM has it until it is destroyed, or the GPU is taken from it while it is stopped.',
  faulty: 'Out of use: no CVM gets it. One that has it keeps it.',
};

const History = ({ gpu }: { gpu: AdminRecord }) => (
  <ShortList
    resource={getResource('gpu-events')}
    filter={{ gpu_id: gpu.id }}
    href={adminHref.child('gpus', gpu.id, 'gpu-events')}
    title="What happened to it"
    empty="Nothing has happened to this GPU yet."
  />
);
