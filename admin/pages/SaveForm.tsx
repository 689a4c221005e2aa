import { Form, useSaveContext, type FormProps } from 'react-admin';
import { useSingleFlight } from '../../console/ui/useSingleFlight';

/**
 * react-admin's form around a RecordForm. Saves through the page unless `onSubmit` does it. A second submit joins the
 * first, which doesn't show as saving before its values have been validated.
 */
export function SaveForm({ onSubmit, ...form }: FormProps) {
  const { save } = useSaveContext();
  const submit = useSingleFlight(async (values: Record<string, unknown>): Promise<unknown> =>
    (onSubmit ?? save)?.(values),
  );
  return <Form {...form} noValidate disableInvalidFormNotification onSubmit={submit} />;
}
