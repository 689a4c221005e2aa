import { useReference } from 'react-admin';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { TextLink } from '../../console/ui/link';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { useSession, mayWith } from '../session';
import { findResource } from './resources';
import type { ResourceDescription } from './types';

interface Props {
  reference: string;
  id: unknown;
  /** By its name alone: inside a link there is no other. */
  plain?: boolean;
}

/** The record an id stands for, by its name. Ids of one page are fetched together; who may not read them sees the id. */
export function ReferenceLink({ reference, id, plain = false }: Props) {
  const { platform_permissions } = useSession();
  const resource = findResource(reference);
  if (!resource || (typeof id !== 'string' && typeof id !== 'number')) return <>{String(id)}</>;
  if (!mayWith(platform_permissions, resource.permissions.list))
    return (
      <>
        {resource.singular} {id}
      </>
    );
  return <Resolved resource={resource} id={id} plain={plain} />;
}

interface ResolvedProps {
  resource: ResourceDescription;
  id: string | number;
  plain: boolean;
}

function Resolved({ resource, id, plain }: ResolvedProps) {
  const { referenceRecord, isPending } = useReference<AdminRecord>({ reference: resource.name, id });
  if (isPending) return <Bar w={96} />;
  const name = referenceRecord ? titleOf(resource, referenceRecord) : `${resource.singular} ${id}`;
  if (plain || resource.permissions.show === undefined) return <>{name}</>;
  return <TextLink href={adminHref.show(resource.name, id)}>{name}</TextLink>;
}
