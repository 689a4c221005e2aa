import { KeyValue } from '../../../console/ui/data/KeyValue';
import { Panel } from '../../../console/ui/layout/Panel';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { Fact } from '../../schema/Fact';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { ShortList } from '../ShortList';
import { ownValue } from '../../../console/lib/ownValue';

/** Allocation fields; optional ones are shown only when set. */
const ALWAYS = ['teepod_id', 'team_id', 'cvm_id'];
const OPTIONAL = ['reserved', 'held_until', 'fault', 'used_elsewhere'];

/** A GPU's current allocation and its history. */
export function Allocation({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Allocation">
      {(gpu) => (
        <>
          <Panel title="Current allocation" subtitle={ownValue(STATE_NOTES, String(gpu.state))} framed>
            <KeyValue
              facts={resource.fields
                .filter(
                  ({ name }) => ALWAYS.includes(name) || (OPTIONAL.includes(name) && ownValue(gpu, name)),
                )
                .map((field) => ({
                  label: field.label,
                  value: <Fact field={field} value={ownValue(gpu, field.name)} record={gpu} />,
                }))}
            />
          </Panel>
          <History gpu={gpu} />
        </>
      )}
    </RecordFrame>
  );
}

const STATE_NOTES: Readonly<Record<string, string>> = {
  free: 'Available to the next CVM with a GPU size.',
  reserved: 'Reserved for this team. Other teams’ CVMs can’t use it.',
  attached: 'In use by a CVM until the CVM is deleted, or the GPU is detached while the CVM is stopped.',
  faulty: 'Out of service. New CVMs can’t use it; a CVM that already has it keeps it.',
};

const History = ({ gpu }: { gpu: AdminRecord }) => (
  <ShortList
    resource={getResource('gpu-events')}
    filter={{ gpu_id: gpu.id }}
    href={adminHref.child('gpus', gpu.id, 'gpu-events')}
    title="History"
    empty="No events yet."
  />
);
