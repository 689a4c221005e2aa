import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { AuditEntry } from '../../../generated/api/types.gen';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { exactTime } from '../../ui/data/time';
import { color, radius, space, type } from '../../ui/theme';
import { Changes } from './Changes';
import { actorName } from './names';
import type { AuditSearch } from './search';

const Box = styled('div')({ display: 'grid', gap: space(5), whiteSpace: 'normal', minWidth: 0 });
const Heading = styled('h3')({ ...type.caption, color: color.muted, marginBottom: space(2) });
const Lines = styled('span')({ display: 'grid', justifyItems: 'start', gap: space(0.5), minWidth: 0 });
const Buttons = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  '& button': { borderRadius: radius.control },
});

interface Props {
  entry: AuditEntry;
  onFilter: (more: AuditSearch) => void;
}

/** All that an entry holds: what changed, who, with what, from where, and the seal. */
export function AuditDetails({ entry, onFilter }: Props) {
  const { actor, target, action } = entry;
  return (
    <Box>
      <section>
        <Heading>What changed</Heading>
        <Changes before={entry.before} after={entry.after} />
      </section>
      <KeyValue facts={factsOf(entry)} />
      <Buttons>
        {actor.id !== null && (
          <Button size="small" onClick={() => onFilter({ actor: actor.id ?? undefined })}>
            Only this person
          </Button>
        )}
        {target?.id != null && (
          <Button size="small" onClick={() => onFilter({ target: target.id ?? undefined })}>
            Only this {target.kind === 'cvm' ? 'CVM' : target.kind.replaceAll('_', ' ')}
          </Button>
        )}
        <Button size="small" onClick={() => onFilter({ action })}>
          Only this action
        </Button>
      </Buttons>
    </Box>
  );
}

function factsOf(entry: AuditEntry): Fact[] {
  const { actor, token, target, request_id } = entry;
  return [
    { label: 'When', value: exactTime(entry.at), wide: true },
    {
      label: 'Who',
      value: (
        <Lines>
          {actorName({ ...entry, token: null })}
          {actor.id !== null && <CopyId id={actor.id} what="id of the person" />}
        </Lines>
      ),
    },
    ...(token
      ? [
          {
            label: 'With the token',
            value: (
              <Lines>
                <span>
                  {token.name} <code>{token.prefix}</code>
                </span>
                <CopyId id={token.id} what="id of the token" />
              </Lines>
            ),
          },
        ]
      : []),
    ...(target?.id != null
      ? [
          {
            label: capital(target.kind),
            value: <CopyId id={target.id} what={`id of the ${target.kind.replaceAll('_', ' ')}`} most={24} />,
          },
        ]
      : []),
    {
      label: 'From',
      value: (
        <Lines>
          <span>
            {entry.place} · {entry.device}
          </span>
          {entry.ip !== null && <CopyId id={entry.ip} what="address" most={39} />}
        </Lines>
      ),
    },
    ...(request_id === null
      ? []
      : [{ label: 'Request', value: <CopyId id={request_id} what="request id" most={20} /> }]),
    {
      label: `Seal of entry ${entry.seq}`,
      value: <CopyId id={entry.hash} what="hash" most={20} />,
    },
  ];
}

const capital = (kind: string) =>
  kind === 'cvm' ? 'CVM' : kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');
