#!/bin/bash
# Title, author and date that documents tell about themselves: TEI, HTML, JSON-LD, mail; a table wins.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

mkdir in
cat >in/a.xml <<'END'
<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title>The <hi>happines</hi> of the Church &amp; more</title><author>Adams, Thomas</author><author>Another,
 Ann</author></titleStmt><publicationStmt><date when="2011-04">2011</date></publicationStmt>
<sourceDesc><biblFull><titleStmt><title>Other title</title></titleStmt><publicationStmt><date>1619?</date></publicationStmt></biblFull></sourceDesc>
</fileDesc></teiHeader><text><body><p>A text of this church that says something to its readers.</p></body></text></TEI>
END
cat >in/b.html <<'END'
<html><head><title>The page - Site</title><!-- <meta name="author" content="Nobody"> -->
<meta property="og:title" content="The page"><meta name="author" content="Low &#39;L&#39; Author"><meta name="citation_author" content="Smith, J.">
<meta content="Jones, &eacute;" NAME='citation_author'><meta property="article:published_time" content="2009-01-13T10:15:30Z">
<meta name="dc.date" content="13 Jan 2008"><meta name="keywords" content="a, b"></head><body><p>A page that says something, too.</p></body></html>
END
cat >in/c.html <<'END'
<html><head><title>Low</title><script type="application/ld+json">{"@type": "NewsArticle", "headline": "A \"head\" \u00e9",
 "author": [{"@type": "Person", "name": "Eve Liner"}], "datePublished" : "2019-05-06"}</script><script>var x = "<meta name='author' content='wrong'>";</script></head>
<body><p>News that say something.</p><meta name="author" content="too late"></body></html>
END
printf 'From: Ann Example <ann@example.org>\nTo: list@example.org\nSubject: About\n folding\nDate: Tue, 13 Jan 2009 10:15:30 +0100\nMessage-ID: <1@example.org>\n\nA letter that says something else to you.\n' >in/d.eml
printf '<html><head><meta name="author" content="Broken' >in/e.html
cat >in/f.nxml <<'END'
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "x"><article><front><journal-meta><journal-title>J</journal-title></journal-meta>
<article-meta><title-group><article-title>On <i>walls</i></article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Adams</surname><given-names>Ann</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Nobody</surname></name></contrib><contrib><collab>A group</collab></contrib></contrib-group><pub-date><month>2</month><year>2010</year></pub-date>
<history><date><year>2009</year></date></history></article-meta></front><body><sec><title>Head</title><p>An article on walls that says more.</p></sec></body></article>
END
cat >in/g.xml <<'END'
<PubmedArticleSet><PubmedArticle><PMID>g</PMID><DateRevised><Year>2001</Year></DateRevised><PubDate><Year>2002</Year></PubDate><ArticleTitle>On gates.</ArticleTitle>
<AbstractText>An abstract on gates.</AbstractText><Author><LastName>Cole</LastName><ForeName>C</ForeName></Author></PubmedArticle></PubmedArticleSet>
END
printf 'id,author\nb.html,Mine\n' >table.csv
judge() { # judge NAME ARGUMENTS PYTHON
    run detect --quiet $2 -o out.h5 in
    exits "$1" 0
    verdict "$1" "$PYTHON" -c "import h5py, json
f = h5py.File('out.h5')
got = {i.decode().split('/')[-1][0]: json.loads(m or '{}') for i, m in zip(f['documents/id'][()], f['documents/meta'][()])}
dates = {i.decode().split('/')[-1][0]: d.decode() for i, d in zip(f['documents/id'][()], f['documents/date'][()])}
$3"
}
judge "fields" "--keep-fields title,author,date" "
assert got['a'] == {'title': 'The happines of the Church & more', 'author': 'Adams, Thomas; Another, Ann', 'date': '1619?'}, got['a']
assert got['b'] == {'title': 'The page', 'author': 'Smith, J.; Jones, é', 'date': '13 Jan 2008'}, got['b']
assert got['f'] == {'title': 'On walls', 'author': 'Adams Ann; A group', 'date': '2010'}, got['f']
assert got['g'] == {'title': 'On gates.', 'author': 'Cole', 'date': '2002'}, got['g']
assert got['c'] == {'title': 'A \"head\" é', 'author': 'Eve Liner', 'date': '2019-05-06'}, got['c']
assert got['d'] == {'title': 'About folding', 'author': 'Ann Example <ann@example.org>', 'date': 'Tue, 13 Jan 2009 10:15:30 +0100'}, got['d']
assert dates['a'] == '1619?' and dates['b'] == '2008-01-13' and dates['d'] == '2009-01-13T09:15:30Z', dates"
judge "a table wins" "--keep-fields title,author --metadata table.csv" "
assert got['b'] == {'title': 'The page', 'author': 'Mine'} and got['c']['author'] == 'Eve Liner', got"
judge "the same is kept without being asked for" "" "
assert got['a'] == {'date': '1619?', 'title': 'The happines of the Church & more', 'author': 'Adams, Thomas; Another, Ann'}, got['a']
assert got['d'] == {'date': 'Tue, 13 Jan 2009 10:15:30 +0100', 'title': 'About folding', 'author': 'Ann Example <ann@example.org>'}, got['d']
assert dates['a'] == '1619?' and dates['b'] == '2008-01-13' and dates['d'] == '2009-01-13T09:15:30Z', dates"
judge "only what is asked for" "--keep-fields author" "
assert got['c'] == {'author': 'Eve Liner'} and not any(dates.values()), got"
finish
