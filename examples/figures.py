#!/usr/bin/env python3
"""Figures of a zine catalogue, asked by SPARQL: python3 figures.py https://catalogue.example

Zines of each decade and place, subjects that occur together, and the makers who worked with most
others. Needs requests and rdflib (Debian: python3-requests, python3-rdflib).
"""

import sys
from collections import defaultdict

import rdflib
import requests

PREFIXES = """
PREFIX bf: <http://id.loc.gov/ontologies/bibframe/>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX gn: <http://www.geonames.org/ontology#>
PREFIX schema: <http://schema.org/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX zc: <ns#>
"""

# A zine of several years is counted in each of their decades, as the filters of lists do.
DECADES = """SELECT ?decade (COUNT(DISTINCT ?zine) AS ?zines) {
  ?zine a bf:Instance ; zc:year ?year .
  BIND(CONCAT(SUBSTR(STR(?year), 1, 3), "0s") AS ?decade)
} GROUP BY ?decade ORDER BY ?decade"""

PLACES = """SELECT ?place (COUNT(?zine) AS ?zines) {
  ?zine schema:locationCreated/gn:name ?place
} GROUP BY ?place ORDER BY DESC(?zines) ?place LIMIT 20"""

# Counted by concept, and named afterwards, which is faster.
SUBJECTS = """SELECT ?subject ?other ?zines {
  { SELECT ?a ?b (COUNT(?zine) AS ?zines) {
    ?zine dcterms:subject ?a, ?b FILTER(STR(?a) < STR(?b))
  } GROUP BY ?a ?b }
  ?a skos:prefLabel ?subject . ?b skos:prefLabel ?other
  FILTER(LANG(?subject) = "en" && LANG(?other) = "en")
} ORDER BY DESC(?zines) ?subject ?other LIMIT 20"""

MAKERS = """CONSTRUCT { ?zine dcterms:creator ?maker . ?maker foaf:name ?name } {
  ?zine dcterms:creator ?maker . ?maker foaf:name ?name
}"""


def ask(address, query, accept):
    """The answer of the endpoint; an error has its reason."""
    response = requests.post(
        f"{address}/sparql",
        data={"query": PREFIXES + query},
        headers={"Accept": accept},
        timeout=60,
    )
    if not response.ok:
        sys.exit(f"{response.status_code} {response.text}")
    return response


def rows(address, query):
    results = ask(address, query, "application/sparql-results+json").json()
    names = results["head"]["vars"]
    for row in results["results"]["bindings"]:
        yield [row[name]["value"] for name in names]


def collaborators(address):
    """For each maker how many others made a zine with them, most first."""
    graph = rdflib.Graph()
    graph.parse(data=ask(address, MAKERS, "text/turtle").text, format="turtle")
    makers_of = defaultdict(set)
    for zine, maker in graph.subject_objects(rdflib.DCTERMS.creator):
        makers_of[zine].add(maker)
    others_of = defaultdict(set)
    for makers in makers_of.values():
        for maker in makers:
            others_of[maker] |= makers - {maker}
    named = [
        (str(graph.value(maker, rdflib.FOAF.name)), len(others))
        for maker, others in others_of.items()
        if others
    ]
    return sorted(named, key=lambda row: (-row[1], row[0]))[:20]


def show(title, table):
    print(f"# {title}")
    for row in table:
        print("\t".join(map(str, row)))
    print()


def main(address):
    show("Zines of each decade", rows(address, DECADES))
    show("Zines of each place, the first 20", rows(address, PLACES))
    show("Subjects that occur together, the first 20", rows(address, SUBJECTS))
    show("Makers by the number of those they worked with, the first 20", collaborators(address))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1].rstrip("/"))
