import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCvmOsImagesOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateCvmOsImage } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { conflictReason, useVersionedForm } from '../../../api/versions';
import { CopyId } from '../../../ui/data/CopyId';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { RadioCards } from '../../../ui/forms/RadioCards';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { imageChoices, type ImageChoice } from './osImage';
import { useReload, useSetting } from './useSetting';

const Digest = styled('p')({
  ...type.small,
  color: color.muted,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});

/** The guest OS image. It is measured at boot, so changing it changes the measurements. */
export function OsImagePanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const { data, error, refetch } = useQuery(
    listCvmOsImagesOptions({ ...inTeam(teamSlug), path: { cvm_id: cvm.id } }),
  );
  const problem = problemOf(error, 'Couldn’t load the OS images', () => void refetch());
  return (
    <Panel title="OS image" subtitle={`Images available on host ${cvm.teepod?.name ?? ''}.`}>
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
  const [asking, setAsking] = useState(false);
  const form = useVersionedForm({ values: { image: current }, etag: cvm.etag }, { refresh: useReload() });
  const wanted = form.values.image;
  const chosen = choices.find(({ name }) => name === wanted);
  const { save, pending, problem, reset } = useSetting<string>({
    guard: form.send,
    send: (options, os_image_name) => updateCvmOsImage({ ...options, body: { os_image_name } }),
    failed: 'Couldn’t change the OS image',
    onDone: () => {
      setAsking(false);
      form.reset();
    },
    onConflict: () => setAsking(false),
  });
  const blocked =
    may.reason ??
    conflictReason(form) ??
    actionFault('change', cvm) ??
    (wanted === current ? 'This is the current image.' : undefined);
  return (
    <>
      <FormConflict form={form} labels={{ image: 'OS image' }} />
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
          onChange={(image) => form.edit({ image })}
        />
        {chosen && (
          <Digest>
            Digest for {chosen.name}:{' '}
            {chosen.os_image_hash === null ? (
              'not reported by the host'
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
            ? 'It stays stopped. The next start boots the new image.'
            : 'The VM restarts with the new image. Its addresses are unavailable until it boots.',
          'OS measurements change. Update any verifiers that pin them.',
          'Disk, secrets and addresses are kept. If it fails to boot, it rolls back to the current image.',
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
