import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { useState } from 'react';
import type { KmsPin } from '../../lib/secrets/kmsPins';
import { CopyId } from '../data/CopyId';
import { DataTable, type Column } from '../data/DataTable';
import { RelativeTime } from '../data/RelativeTime';
import { ConfirmDialog } from '../feedback/ConfirmDialog';
import { EmptyState } from '../feedback/EmptyState';
import { Notice } from '../feedback/Notice';
import { Panel } from '../layout/Panel';
import { space } from '../theme';
import { AddPin } from './AddPin';
import { KIND_NAMES, type ServerKms } from './kinds';
import { PinServerKeys } from './PinServerKeys';
import { removalText } from './pinTexts';
import { useKmsPins } from './useKmsPins';

const Above = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(3) });

const columns: Column<KmsPin>[] = [
  { id: 'label', header: 'Label', cell: ({ label }) => <span title={label}>{label || '—'}</span> },
  { id: 'kind', header: 'Kind', width: 230, phone: 'end', cell: ({ kind }) => KIND_NAMES[kind] },
  {
    id: 'key',
    header: 'Key',
    width: 260,
    priority: 2,
    phone: 'meta',
    cell: ({ key }) => <CopyId id={key} what="pinned key" most={24} />,
  },
  {
    id: 'pinned',
    header: 'Pinned',
    width: 120,
    phone: 'meta',
    cell: ({ pinned_at }) => (pinned_at ? <RelativeTime at={pinned_at} /> : '—'),
  },
];

/** KMS root keys pinned in this browser. `kms` has the server's keys on record, to pin with one click. */
export function PinsPanel({ kms }: { kms?: ServerKms | undefined }) {
  const { pins, set } = useKmsPins();
  const [opened, setOpened] = useState<KmsPin | 'add' | 'clear' | null>(null);
  const close = () => setOpened(null);
  const removed = (pin: KmsPin) =>
    (pins ?? []).filter(({ kind, key }) => kind !== pin.kind || key !== pin.key);
  return (
    <Panel
      title="Pinned KMS keys"
      subtitle="Stored in this browser only. Once you pin an environment root, secrets are encrypted only for KMSs whose environment root you pinned. Once you pin a certificate root, evidence passes only for KMSs whose certificate root you pinned."
      actions={
        pins && (
          <Button size="small" onClick={() => setOpened('add')}>
            Pin a key
          </Button>
        )
      }
    >
      {pins === null ? (
        <Notice
          tone="error"
          title="The pinned keys can’t be read."
          action={
            <Button size="small" onClick={() => setOpened('clear')}>
              Clear pinned keys
            </Button>
          }
        >
          Secrets won’t be encrypted in this browser until you clear them and pin your keys again.
        </Notice>
      ) : (
        <>
          {kms && (
            <Above>
              <PinServerKeys kms={kms} pins={pins} onPin={set} />
            </Above>
          )}
          <DataTable
            id="kms-pins"
            noun={['pinned key', 'pinned keys']}
            columns={columns}
            rows={pins}
            rowId={({ kind, key }) => `${kind}:${key}`}
            rowName={({ label, key }) => label || key}
            rowActions={(pin) => [
              { id: 'remove', label: 'Remove', danger: true, onSelect: () => setOpened(pin) },
            ]}
            skeletonRows={1}
            problem={null}
            empty={
              <EmptyState>
                No keys pinned. This browser uses the root keys the server has on record, without further
                checks.
              </EmptyState>
            }
          />
        </>
      )}
      {opened === 'add' && pins && <AddPin pins={pins} onPin={set} onClose={close} />}
      {opened !== null && opened !== 'add' && (
        <ConfirmDialog
          open
          danger
          title={opened === 'clear' ? 'Clear pinned keys?' : `Remove ${opened.label || 'this key'}?`}
          effects={[
            opened === 'clear'
              ? 'With no pinned keys left, this browser uses the root keys the server has on record.'
              : removalText(opened, removed(opened)),
          ]}
          confirmLabel={opened === 'clear' ? 'Clear' : 'Remove'}
          pending={false}
          problem={null}
          onConfirm={() => {
            set(opened === 'clear' ? [] : removed(opened));
            close();
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
