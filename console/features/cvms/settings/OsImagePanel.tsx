import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCvmOsImagesOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateCvmOsImage } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { CopyId } from '../../../ui/data/CopyId';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { FormShell } from '../../../ui/forms/FormShell';
import { RadioCards } from '../../../ui/forms/RadioCards';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { imageChoices, type ImageChoice } from './osImage';
import { useSetting } from './useSetting';

const Digest = styled('p')({
  ...type.small,
  color: color.muted,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});

/** The operating system of the guest: measured at boot, so another one gives other measurements. */
export function OsImagePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const { data, error, refetch } = useQuery(
    listCvmOsImagesOptions({ ...inTeam(teamSlug), path: { cvm_id: cvm.id } }),
  );
  const problem = problemOf(error, 'The OS images could not be loaded', () => void refetch());
  return (
    <Panel title="OS image" subtitle={`Images its host ${cvm.teepod?.name ?? ''} has.`}>
      {problem && <ErrorNotice problem={problem} />}
      {data === undefined && !problem && <RowsSkeleton rows={2} />}
      {data && <ImageForm choices={imageChoices(data)} />}
    </Panel>
  );
}

function ImageForm({ choices }: { choices: ImageChoice[] }) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const current = cvm.os?.name ?? null;
  const [edited, setEdited] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const wanted = edited ?? current;
  const chosen = choices.find(({ name }) => name === wanted);
  const { save, pending, problem, reset } = useSetting<string>({
    send: (options, os_image_name) => updateCvmOsImage({ ...options, body: { os_image_name } }),
    failed: 'The OS image was not changed',
    onDone: () => {
      setAsking(false);
      setEdited(null);
    },
  });
  const blocked =
    may.reason ?? actionFault('change', cvm) ?? (wanted === current ? 'It has this image.' : undefined);
  return (
    <>
      <FormShell
        aria-label="OS image"
        error={null}
        pending={pending}
        onSubmit={() => setAsking(true)}
        submitLabel="Change OS image…"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <RadioCards
          label="Image"
          name="os_image"
          value={wanted}
          cards={choices.map((choice) => ({
            value: choice.name,
            name: choice.name,
            specs: `Version ${choice.version}`,
            badge: (
              <>
                {choice.name === current && (
                  <ToneChip tone="ok" glyph="check">
                    in use
                  </ToneChip>
                )}
                {choice.is_dev && (
                  <ToneChip tone="attention" glyph="warning">
                    development
                  </ToneChip>
                )}
              </>
            ),
          }))}
          onChange={setEdited}
        />
        {chosen && (
          <Digest>
            Digest of {chosen.name}:{' '}
            {chosen.os_image_hash === null ? (
              'its host does not know it'
            ) : (
              <CopyId id={chosen.os_image_hash} what="digest" />
            )}
          </Digest>
        )}
        {chosen?.warning && <Notice tone="attention">{chosen.warning}</Notice>}
      </FormShell>
      <ConfirmDialog
        open={asking && chosen !== undefined}
        title={`Run ${cvm.name} on ${wanted}?`}
        confirmLabel={cvm.desired_status === 'stopped' ? 'Change image' : 'Change and restart'}
        effects={[
          cvm.desired_status === 'stopped'
            ? 'It is stopped and stays so; the next start boots the other image.'
            : 'The VM restarts with the other image; its addresses answer nothing meanwhile.',
          'Measurements of the operating system change: verifiers that pin them have to learn the new ones.',
          'Disk, secrets and addresses stay. If it does not boot, it goes back to the present image.',
        ]}
        {...(chosen?.warning ? { children: <Notice tone="attention">{chosen.warning}</Notice> } : {})}
        pending={pending}
        problem={problem}
        onConfirm={() => wanted !== null && save(wanted)}
        onClose={() => {
          reset();
          setAsking(false);
        }}
      />
    </>
  );
}
