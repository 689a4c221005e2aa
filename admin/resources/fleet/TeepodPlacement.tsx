import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useParams } from 'react-admin';
import { ActionButton } from '../../../console/ui/controls/ActionButton';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Notice } from '../../../console/ui/feedback/Notice';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';
import { useSingleFlight } from '../../../console/ui/useSingleFlight';
import type { AdminTeepodPlacement } from '../../../generated/api/types.gen';
import { fetchJson, problemOf } from '../../http';
import type { AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { CheckList } from './CheckList';
import { TeamPicker } from './TeamPicker';
import { TeepodPage } from './TeepodPage';

const Form = styled('form')({ display: 'grid', gap: space(4), maxWidth: 640, margin: `${space(4)} 0` });
const Sizes = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fit, minmax(130px, 1fr))',
});
const Answer = styled('div')({ display: 'grid', gap: space(4) });

const FIELDS = [
  { name: 'vcpu', label: 'vCPU', suffix: undefined, least: 1 },
  { name: 'memory_mb', label: 'Memory', suffix: 'MB', least: 1 },
  { name: 'disk_gb', label: 'Disk', suffix: 'GB', least: 1 },
  { name: 'gpus', label: 'GPUs', suffix: undefined, least: 0 },
] as const;

type Size = Record<(typeof FIELDS)[number]['name'], string>;

const SMALL: Size = { vcpu: '1', memory_mb: '2048', disk_gb: '20', gpus: '0' };

const isNumber = (text: string, least: number) => /^\d{1,9}$/.test(text.trim()) && Number(text) >= least;

/** Why a CVM of a team and size can't be placed on a teepod. */
export function TeepodPlacement({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const [team, setTeam] = useState<AdminRecord | null>(null);
  const [size, setSize] = useState(SMALL);
  const [isSent, setIsSent] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (search: string) =>
      (await fetchJson(`/api/v1/admin/teepods/${id}/placement?${search}`)).json as AdminTeepodPlacement,
  });
  const send = useSingleFlight(mutate);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSent(true);
    if (isPending || !team || !FIELDS.every(({ name, least }) => isNumber(size[name], least))) return;
    const sizes = FIELDS.map(({ name }) => [name, String(Number(size[name]))]);
    send(new URLSearchParams([['team_slug', String(team.slug)], ...sizes]).toString());
  };
  return (
    <TeepodPage
      resource={resource}
      title="Placement"
      subtitle="Find out why a CVM can’t be deployed here. It uses the same rules as deployments; nothing is reserved."
    >
      <Form onSubmit={submit} noValidate>
        <TeamPicker
          team={team}
          onChange={setTeam}
          error={isSent && team === null ? 'Choose a team.' : undefined}
          disabled={false}
        />
        <Sizes>
          {FIELDS.map(({ name, label, suffix, least }) => (
            <TextInput
              key={name}
              label={label}
              {...(suffix ? { suffix } : {})}
              inputMode="numeric"
              value={size[name]}
              error={isNumber(size[name], least) ? undefined : `Enter ${least} or more.`}
              onChange={(event) => setSize({ ...size, [name]: event.target.value })}
            />
          ))}
        </Sizes>
        <div>
          <ActionButton type="submit" variant="contained" reason={undefined} pending={isPending}>
            Check
          </ActionButton>
        </div>
      </Form>
      <div role="status" aria-label="Conditions">
        {error && !isPending && <ErrorNotice problem={problemOf(error, 'Couldn’t check the teepod')} />}
        {data && <PlacementResult result={data} />}
      </div>
    </TeepodPage>
  );
}

const ORDERS: Record<AdminTeepodPlacement['placement'], string> = {
  spread: 'Of the hosts with room, the one with the most free memory comes first.',
  pack: 'Of the hosts with room, the fullest comes first.',
};

export function PlacementResult({ result: { fits, placement, checks } }: { result: AdminTeepodPlacement }) {
  return (
    <Answer>
      <Notice tone={fits ? 'ok' : 'attention'}>
        {fits ? `This CVM can be placed here. ${ORDERS[placement]}` : 'This CVM can’t be placed here.'}
      </Notice>
      <CheckList checks={checks} />
    </Answer>
  );
}
