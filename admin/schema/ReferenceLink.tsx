import { useReference } from 'react-admin';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { TextLink } from '../../console/ui/link';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { findResource } from './resources';

/** The record an id stands for, by its name. Ids of one page are fetched together. */
export function ReferenceLink({ reference, id }: { reference: string; id: unknown }) {
  const resource = findResource(reference);
  if (!resource || (typeof id !== 'string' && typeof id !== 'number')) return <>{String(id)}</>;
  return <Resolved reference={reference} id={id} />;
}

function Resolved({ reference, id }: { reference: string; id: string | number }) {
  const { referenceRecord, isPending } = useReference<AdminRecord>({ reference, id });
  const resource = findResource(reference);
  if (isPending || !resource) return <Bar w={96} />;
  return (
    <TextLink href={adminHref.show(reference, id)}>
      {referenceRecord ? titleOf(resource, referenceRecord) : `${resource.singular} ${id}`}
    </TextLink>
  );
}
