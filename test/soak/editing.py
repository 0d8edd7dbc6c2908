import os, sys, json
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import QgsApplication, QgsVectorLayer, QgsFeature, QgsFeatureRequest, QgsGeometry, QgsAuthMethodConfig, QgsVectorDataProvider, QgsProject, QgsSettings
QgsApplication.setPrefixPath("/usr", True)
app = QgsApplication([], False)
app.initQgis()
root, collection, user, password = sys.argv[1:5]
uri = f"restrictToRequestBBOX='0' srsname='EPSG:4326' typename='{collection}' url='{root}' version='OGC_API_FEATURES' username='{user}' password='{password}' pagingEnabled='true'"
layer = QgsVectorLayer(uri, "sites", "OAPIF")
out = {"valid": layer.isValid(), "error": layer.error().message() if not layer.isValid() else "", "provider": layer.dataProvider().error().message() if layer.dataProvider() else ""}
if layer.isValid():
    p = layer.dataProvider()
    out["fields"] = [(f.name(), f.typeName()) for f in layer.fields()]
    out["capabilities"] = p.capabilitiesString()
    def step(name, run):
        layer.startEditing()
        run()
        ok = layer.commitChanges()
        out[name] = [ok, layer.commitErrors() if not ok else []]
        if not ok: layer.rollBack()
        layer.dataProvider().reloadData()
    def byname(n):
        return next((f for f in layer.getFeatures() if f["name"] == n), None)
    out["before"] = sorted(f["name"] for f in layer.getFeatures())
    box = "POLYGON((0.9 0, 2 0, 2 0.5, 0.9 0.5, 0.9 0))"  # only in the right order of axes the feature is in it
    out["filtered"] = {
        expression: sorted(f["name"] for f in layer.getFeatures(QgsFeatureRequest().setFilterExpression(expression)))
        for expression in ['"size" + 1 = 2', "\"name\" ILIKE 'SEE%' AND -\"size\" < 0", f"intersects_bbox($geometry, geom_from_wkt('{box}'))"]
    }
    def add():
        f = QgsFeature(layer.fields())
        f.setAttribute("name", "drawn"); f.setAttribute("size", 3)
        f.setGeometry(QgsGeometry.fromWkt("Polygon((1 1, 2 1, 2 2, 1 1))"))
        layer.addFeature(f)
    step("add", add)
    out["after add"] = sorted(f["name"] for f in layer.getFeatures())
    step("move", lambda: layer.changeGeometry(byname("drawn").id(), QgsGeometry.fromWkt("MultiPolygon(((3 3, 4 3, 4 4, 3 3)))")))
    step("change", lambda: layer.changeAttributeValue(byname("drawn").id(), layer.fields().indexOf("size"), 8))
    out["after change"] = [(f["name"], f["size"], f.geometry().asWkt(3)) for f in layer.getFeatures() if f["name"] == "drawn"]
    step("refused", lambda: layer.changeAttributeValue(byname("drawn").id(), layer.fields().indexOf("size"), 5000))
    step("delete", lambda: layer.deleteFeature(byname("drawn").id()))
    out["after delete"] = sorted(f["name"] for f in layer.getFeatures())
print("RESULT " + json.dumps(out, default=str), flush=True)
os._exit(0)  # QGIS may crash when it ends without a window
