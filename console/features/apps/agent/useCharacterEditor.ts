import { useMemo, useState } from 'react';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import {
  newCharacter,
  readCharacter,
  writeCharacter,
  type CharacterReading,
} from '../../../lib/agent/character';
import { withCharacter, type Agent } from '../../../lib/agent/compose';
import { waitText } from '../../../lib/cvms/blockedText';
import type { CvmAddress } from '../../../lib/paths';
import { useCharacterUpdate } from './useCharacter';

interface Edited {
  agent: Agent;
  cvm: CvmDetail;
  address: CvmAddress;
}

/** The character being edited, as JSON text, and the Compose file with it. */
export function useCharacterEditor({ agent, cvm, address }: Edited) {
  const may = useMay('cvms.write', address.teamSlug);
  const compose = cvm.compose_file?.docker_compose_file ?? '';
  const was = agent.character.state === 'readable' ? agent.character.json : '';
  const [edited, setEdited] = useState<{ json: string; before: string } | null>(null);
  const json = edited?.json ?? (was === '' ? writeCharacter(newCharacter(agent.service)) : was);
  const reading = useMemo(() => readCharacter(json), [json]);
  const after = useMemo(
    () => (reading.ok ? withCharacter(compose, agent, json) : null),
    [reading, compose, agent, json],
  );
  const discard = () => setEdited(null);
  const update = useCharacterUpdate(address, cvm.id, discard);
  const isDirty = after !== null ? after !== compose : edited !== null;
  const isOvertaken = edited !== null && edited.before !== compose;
  return {
    json,
    reading,
    /** The Compose file with the edited character; null if that can't be read. */
    after,
    isEdited: edited !== null,
    isDirty,
    /** Whether the Compose file changed since the edit began. */
    isOvertaken,
    isReadOnly: !may.allowed,
    blocked: may.reason ?? blockedBy(cvm, reading, isDirty, isOvertaken),
    update,
    discard,
    edit(next: string) {
      if (update.error) update.reset();
      setEdited({ json: next, before: edited?.before ?? compose });
    },
    save() {
      if (after === null) return;
      const reason = `${agent.service} character edited`;
      update.mutate({ compose: after, before: edited?.before ?? compose, reason });
    },
  };
}

export type CharacterEditing = ReturnType<typeof useCharacterEditor>;

function blockedBy(
  cvm: CvmDetail,
  reading: CharacterReading,
  isDirty: boolean,
  isOvertaken: boolean,
): string | undefined {
  if (cvm.in_progress) return waitText(cvm.operation);
  if (!reading.ok) return 'Fix the character first.';
  if (isOvertaken) return 'The Compose file changed while you were editing.';
  return isDirty ? undefined : 'No changes yet.';
}
