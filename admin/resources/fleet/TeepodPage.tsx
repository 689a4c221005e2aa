import type { ReactNode } from 'react';
import { useGetOne, useParams } from 'react-admin';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { useCrumbs } from '../../frame/slots';
import { NotFoundPage } from '../../pages/Fallback';
import { isMissing } from '../../pages/recordView';
import { adminHref } from '../../paths';
import { titleOf, type AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';

interface Props {
  resource: ResourceDescription;
  title: string;
  subtitle: string;
  /** Shown beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** Layout of a page below a teepod, with breadcrumbs and heading. */
export function TeepodPage({ resource, title, subtitle, action, children }: Props) {
  const { id = '' } = useParams();
  const { data, error } = useGetOne<AdminRecord>(
    resource.name,
    { id },
    { retry: false, onError: () => undefined },
  );
  useCrumbs([
    { label: resource.label, href: adminHref.list(resource.name) },
    {
      label: data ? titleOf(resource, data) : '…',
      href: adminHref.show(resource.name, id),
    },
    { label: title },
  ]);
  if (isMissing(error)) return <NotFoundPage />;
  return (
    <>
      <PageHeader
        title={data ? `${titleOf(resource, data)}: ${title}` : title}
        subtitle={subtitle}
        {...(action === undefined ? {} : { secondary: action })}
      />
      {children}
    </>
  );
}
