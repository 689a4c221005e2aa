/** Returns how to confirm an address. @param has_mail whether this server can send mail */
export const confirmAddressText = (has_mail: boolean, email: string): string =>
  has_mail
    ? `Open the link in the message to ${email}.`
    : `This server doesn’t send email. Ask an administrator for the link: the message to ${email} is in the outbox.`;
