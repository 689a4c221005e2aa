import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import type { AuditEntry } from '../../../generated/api/types.gen';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { exactTime } from '../../ui/data/time';
import { color, radius, space, type } from '../../ui/theme';
import { Changes } from './Changes';
import { actorName, kindName } from './names';
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

/** Everything an entry holds: the change, actor, token, origin and chained hash. */
export function AuditDetails({ entry, onFilter }: Props) {
  const { actor, target, action } = entry;
  return (
    <Box>
      <section>
        <Heading>Changes</Heading>
        <Changes before={entry.before} after={entry.after} />
      </section>
      <KeyValue facts={factsOf(entry)} />
      <Buttons>
        {actor.id !== null && (
          <Button size="small" onClick={() => onFilter({ actor: actor.id ?? undefined })}>
            Filter by this user
          </Button>
        )}
        {target?.id != null && (
          <Button size="small" onClick={() => onFilter({ target: target.id ?? undefined })}>
            Filter by this {kindName(target.kind)}
          </Button>
        )}
        <Button size="small" onClick={() => onFilter({ action })}>
          Filter by this action
        </Button>
      </Buttons>
    </Box>
  );
}

function factsOf(entry: AuditEntry): Fact[] {
  const { actor, token, target, request_id } = entry;
  return [
    { label: 'Time', value: exactTime(entry.at), wide: true },
    {
      label: 'Actor',
      value: (
        <Lines>
          {actorName({ ...entry, token: null })}
          {actor.id !== null && <CopyId id={actor.id} what="user ID" />}
        </Lines>
      ),
    },
    ...(token
      ? [
          {
            label: 'API token',
            value: (
              <Lines>
                <span>
                  {token.name} <code>{token.prefix}</code>
                </span>
                <CopyId id={token.id} what="token ID" />
              </Lines>
            ),
          },
        ]
      : []),
    ...(target?.id != null
      ? [
          {
            label: capital(target.kind),
            value: <CopyId id={target.id} what={`${kindName(target.kind)} ID`} most={24} />,
          },
        ]
      : []),
    {
      label: 'Source',
      value: (
        <Lines>
          <span>
            {entry.place} · {entry.device}
          </span>
          {entry.ip !== null && <CopyId id={entry.ip} what="IP address" most={39} />}
        </Lines>
      ),
    },
    ...(request_id === null
      ? []
      : [{ label: 'Request', value: <CopyId id={request_id} what="request ID" most={20} /> }]),
    {
      label: `Hash of entry ${entry.seq}`,
      value: <CopyId id={entry.hash} what="hash" most={20} />,
    },
  ];
}

const capital = (kind: string) => kindName(kind).replace(/^./, (letter) => letter.toUpperCase());
