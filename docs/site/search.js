// Order of the results of a search: pages for tasks first, then the reference, then the glossary and the first page.
var Scorer = {
  score: ([page, title, anchor, description, score]) =>
    page.startsWith("reference/") ? score - 20 : ["glossary", "index", "contributing"].includes(page) ? score - 8 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
