/** The code with which a page of another site embeds a public page. */
export function iframeOf(page: string, title: string): string {
  return `<iframe src="${escaped(page)}" title="${escaped(title)}"\n  width="800" height="500" style="border: 0"></iframe>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
