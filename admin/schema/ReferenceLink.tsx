import styled from '@emotion/styled';
import { useReference } from 'react-admin';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { TextLink } from '../../console/ui/link';
import { adminHref } from '../paths';
import { nameOfUnread, titleOf, type AdminRecord } from '../record';
import { useSession, mayWith } from '../session';
import { findResource } from './resources';
import type { ResourceDescription } from './types';

/** As tall as the name that replaces it. */
const Pending = styled(Bar)({ display: 'inline-block', verticalAlign: 'middle' });

interface Props {
  reference: string;
  id: unknown;
  /** Renders the name without a link, for use inside a link. */
  plain?: boolean;
}

/** Shows a referenced record by name. IDs of a page are fetched together; without permission, the ID is shown. */
export function ReferenceLink({ reference, id, plain = false }: Props) {
  const { platform_permissions } = useSession();
  const resource = findResource(reference);
  if (!resource || (typeof id !== 'string' && typeof id !== 'number')) return <>{String(id)}</>;
  if (!mayWith(platform_permissions, resource.permissions.list)) return <>{nameOfUnread(resource, id)}</>;
  return <Resolved resource={resource} id={id} plain={plain} />;
}

interface ResolvedProps {
  resource: ResourceDescription;
  id: string | number;
  plain: boolean;
}

function Resolved({ resource, id, plain }: ResolvedProps) {
  const { referenceRecord, isPending } = useReference<AdminRecord>({
    reference: resource.name,
    id,
  });
  if (isPending) return <Pending w={96} />;
  const name = referenceRecord ? titleOf(resource, referenceRecord) : nameOfUnread(resource, id);
  if (plain || resource.permissions.show === undefined) return <>{name}</>;
  return <TextLink href={adminHref.show(resource.name, id)}>{name}</TextLink>;
}
